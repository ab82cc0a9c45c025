import { MongoClient } from 'mongodb';

// Writes a row within a transaction and is killed before the commit, so that its driver cannot end the session.

const [uri = '', collection = '', id = ''] = process.argv.slice(2);
const client = await MongoClient.connect(uri);
const session = client.startSession();
session.startTransaction();
await client
  .db()
  .collection<{ _id: string }>(collection)
  .updateOne({ _id: id }, { $set: { touched: 'by a killed process' } }, { session });
process.kill(process.pid, 'SIGKILL');
