"""Text: notation of actions, descriptions, sentences, what a seat may know of a step, positions."""
