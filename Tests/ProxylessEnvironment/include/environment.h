// There is nothing to call.
