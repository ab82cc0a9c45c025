const { dirname } = require('node:path');
const ts = require(require.resolve('typescript', { paths: [dirname(require.resolve('@tsoa/cli'))] }));

const tsconfig = ts.getParsedCommandLineOfConfigFile('tsconfig.json', {}, ts.sys);

module.exports = {
  entryFile: '',
  controllerPathGlobs: ['src/document/declarations/*.ts'],
  noImplicitAdditionalProperties: 'throw-on-extras',
  compilerOptions: tsconfig.options,
  spec: {
    outputDirectory: 'src/generated',
    specFileBaseName: 'tsoa',
    specVersion: 3,
    name: 'Postrider',
    securityDefinitions: { bearer: { type: 'http', scheme: 'bearer' } },
  },
};
