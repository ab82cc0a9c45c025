using System.Threading.Channels;
using Microsoft.Data.Sqlite;

/// <summary>Stores deliveries once, and hands each of them to a handler later.</summary>
sealed class Inbox
{
    private static readonly TimeSpan RetryAfter = TimeSpan.FromSeconds(1);
    private readonly string connection;
    private readonly Action<string, string> handle;
    private readonly Channel<bool> wake = Channel.CreateBounded<bool>(
        new BoundedChannelOptions(1) { FullMode = BoundedChannelFullMode.DropWrite });

    public Inbox(string path, Action<string, string> handle)
    {
        connection = new SqliteConnectionStringBuilder { DataSource = path }.ToString();
        this.handle = handle;
        Execute("CREATE TABLE IF NOT EXISTS inbox (id TEXT PRIMARY KEY, body TEXT, done INTEGER DEFAULT 0)");
        _ = Task.Run(Work);
    }

    /// <summary>Does nothing if the id is known already.</summary>
    public void Add(string id, string body)
    {
        Execute("INSERT INTO inbox (id, body) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING", id, body);
        wake.Writer.TryWrite(true);
    }

    /// <summary>Begins with what a crash left.</summary>
    private async Task Work()
    {
        while (true)
        {
            string waiting = "a delivery";
            try
            {
                if (Next() is (long place, string id, string body))
                {
                    waiting = id;
                    handle(id, body);
                    Execute("UPDATE inbox SET done = 1 WHERE rowid = $1", place);
                }
                else
                {
                    await wake.Reader.ReadAsync();
                }
            }
            catch (Exception failed) // Otherwise the task would end, and nothing more would be handled.
            {
                Console.Error.WriteLine($"{waiting} was not handled: {failed}");
                await Task.Delay(RetryAfter);
            }
        }
    }

    private (long Place, string Id, string Body)? Next()
    {
        using var database = Open();
        using var command = database.CreateCommand();
        command.CommandText = "SELECT rowid, id, body FROM inbox WHERE done = 0 LIMIT 1";
        using var row = command.ExecuteReader();
        return row.Read() ? (row.GetInt64(0), row.GetString(1), row.GetString(2)) : null;
    }

    private void Execute(string sql, params object[] values)
    {
        using var database = Open();
        using var command = database.CreateCommand();
        command.CommandText = sql;
        for (int n = 0; n < values.Length; n++) command.Parameters.AddWithValue($"${n + 1}", values[n]);
        command.ExecuteNonQuery();
    }

    private SqliteConnection Open()
    {
        var database = new SqliteConnection(connection);
        database.Open();
        return database;
    }
}
