// The target declares no functions, because its constructor runs when the program starts.
