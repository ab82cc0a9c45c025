import { serveParent } from '../processes/remote.js';
import { createGenerator } from './generator.js';

serveParent(createGenerator());
