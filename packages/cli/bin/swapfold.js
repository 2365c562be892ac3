#!/usr/bin/env node
// In the repository npm links this file at install, when dist/ has not been built yet.
import '../dist/bin.js';
