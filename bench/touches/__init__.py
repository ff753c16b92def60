"""How many touches a turn takes on a phone, played on the sandbox's page: see ``__main__``."""
