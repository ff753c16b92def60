"""The painter of CORTO."""
