import { backlogContract } from './backlog.contract.js';
import { deadLetterStoreContract } from './dead-letter-store.contract.js';
import { fanOutStoreContract } from './fan-out-store.contract.js';
import { settlementProperties } from './settlement-properties.contract.js';
import { settlementStoreContract } from './settlement-store.contract.js';
import { inMemoryStores } from './stores-under-test.js';

describe('settlement store in memory', () => {
  settlementStoreContract(inMemoryStores);
  settlementProperties(inMemoryStores);
});
describe('dead-letter store in memory', () => deadLetterStoreContract(inMemoryStores));
describe('backlog in memory', () => backlogContract(inMemoryStores));
describe('fan-out store in memory', () => fanOutStoreContract(inMemoryStores));
