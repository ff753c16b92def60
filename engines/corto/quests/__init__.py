"""The quests of the adventures, by the names that the data files give them."""
