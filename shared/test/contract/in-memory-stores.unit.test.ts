import { backlogContract } from './backlog.contract.js';
import { deadLetterStoreContract } from './dead-letter-store.contract.js';
import { fanOutStoreContract } from './fan-out-store.contract.js';
import { settlementStoreContract } from './settlement-store.contract.js';
import { inMemoryStores } from './stores-under-test.js';

describe('the settlement store in memory', () => settlementStoreContract(inMemoryStores));
describe('the dead-letter store in memory', () => deadLetterStoreContract(inMemoryStores));
describe('the backlog in memory', () => backlogContract(inMemoryStores));
describe('the fan-out store in memory', () => fanOutStoreContract(inMemoryStores));
