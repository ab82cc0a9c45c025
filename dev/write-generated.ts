import { GENERATED, writeGenerated } from './generated.js';

const kind = process.argv[2] as keyof typeof GENERATED;
if (GENERATED[kind] === undefined)
  throw new Error(`usage: write-generated <${Object.keys(GENERATED).join(' | ')}>`);
writeGenerated(kind);
