"""Data types shared by the whole bot: frozen, with little behaviour."""
