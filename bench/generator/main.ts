import { serve } from '../processes/remote.js';
import { createGenerator } from './generator.js';

serve(createGenerator());
