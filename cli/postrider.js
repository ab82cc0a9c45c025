#!/usr/bin/env node
// npm links programs when it installs packages, which in a checkout is before the sources are built.
import './dist/src/main.js';
