import { MongoClient } from 'mongodb';

// Writes a row within a transaction and is killed before the commit: no driver says goodbye to the server.

const [uri = '', collection = '', id = ''] = process.argv.slice(2);
const client = await MongoClient.connect(uri);
const session = client.startSession();
session.startTransaction();
await client
  .db()
  .collection<{ _id: string }>(collection)
  .updateOne({ _id: id }, { $set: { touched: 'by one that died' } }, { session });
process.kill(process.pid, 'SIGKILL');
