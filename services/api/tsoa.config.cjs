const { dirname } = require('node:path');
const ts = require(require.resolve('typescript', { paths: [dirname(require.resolve('@tsoa/cli'))] }));

const tsconfig = ts.getParsedCommandLineOfConfigFile('tsconfig.json', {}, ts.sys);

module.exports = {
  entryFile: '',
  controllerPathGlobs: ['src/http/controllers/*.ts'],
  noImplicitAdditionalProperties: 'throw-on-extras',
  compilerOptions: tsconfig.options,
  spec: {
    outputDirectory: 'src/generated',
    specFileBaseName: 'tsoa',
    specVersion: 3,
    name: 'Postrider',
    securityDefinitions: { bearer: { type: 'http', scheme: 'bearer' } },
  },
  routes: {
    routesDir: 'src/generated',
    esm: true,
    bodyCoercion: false,
    middleware: 'express',
    authenticationModule: 'src/http/express-authentication.ts',
    iocModule: 'src/http/controller-of.ts',
  },
};
