// The target has nothing to call: its constructor runs when the program starts.
