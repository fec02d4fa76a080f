"""Events of many deals: who meets whom, on which cards, and what follows."""
