import { type ConfigurationError, readConfig } from '@postrider/shared/runtime/config';
import { expect } from 'chai';
import { origins } from '../../src/http/origins.js';

const DECLARATION = { MCP_ORIGINS: origins({ default: [], desc: 'Origins' }) };
const read = (MCP_ORIGINS: string) => readConfig({ MCP_ORIGINS }, DECLARATION).MCP_ORIGINS;

describe('list of origins', () => {
  it('has origins as browsers write them', () => {
    expect(read('https://chat.example.com, http://localhost:6274')).to.deep.equal([
      'https://chat.example.com',
      'http://localhost:6274',
    ]);
    expect(read('')).to.deep.equal([]);
  });

  for (const wrong of [
    'https://chat.example.com/',
    'https://Chat.example.com',
    'https://chat.example.com:443',
    'chat.example.com',
    '*',
    'null',
    'file://',
  ])
    it(`refuses ${wrong}, which would never match`, () => {
      expect(() => read(`https://other.example.com,${wrong}`))
        .to.throw()
        .with.property('problems')
        .that.satisfies(([problem]: ConfigurationError['problems']) => problem?.startsWith('MCP_ORIGINS: '));
    });
});
