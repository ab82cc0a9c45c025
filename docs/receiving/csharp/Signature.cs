using System.Globalization;
using System.Security.Cryptography;
using System.Text;

/// <summary>Verifies a request as Standard Webhooks has it.</summary>
sealed class Signature
{
    private const string Prefix = "whsec_";
    private const string Version = "v1,";
    private static readonly TimeSpan Tolerance = TimeSpan.FromMinutes(5);
    private readonly byte[] key;

    public Signature(string secret)
    {
        key = Convert.FromBase64String(secret.StartsWith(Prefix, StringComparison.Ordinal) ? secret[Prefix.Length..] : secret);
        // Signatures of an empty key can be forged.
        if (key.Length == 0) throw new ArgumentException("The secret is missing.", nameof(secret));
    }

    public bool IsGenuine(byte[] body, IHeaderDictionary headers)
    {
        string id = headers["webhook-id"].ToString();
        string timestamp = headers["webhook-timestamp"].ToString();
        if (id == "" || !IsFresh(timestamp)) return false;
        byte[] content = [.. Encoding.UTF8.GetBytes($"{id}.{timestamp}."), .. body];
        byte[] expected = Encoding.ASCII.GetBytes(Version + Convert.ToBase64String(HMACSHA256.HashData(key, content)));
        return headers["webhook-signature"].ToString().Split(' ')
            .Any(given => CryptographicOperations.FixedTimeEquals(Encoding.UTF8.GetBytes(given), expected));
    }

    private static bool IsFresh(string timestamp)
    {
        if (!long.TryParse(timestamp, NumberStyles.None, CultureInfo.InvariantCulture, out long seconds)) return false;
        double age = DateTimeOffset.UtcNow.ToUnixTimeSeconds() - (double)seconds;
        return Math.Abs(age) <= Tolerance.TotalSeconds;
    }
}
