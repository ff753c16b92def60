"""A Discord on loopback: REST, gateway and a web page."""
