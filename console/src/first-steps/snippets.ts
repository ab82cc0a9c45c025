/**
 * Code that verifies a delivery with the standard library of its language. It reads the secret from WEBHOOK_SECRET and fails
 * without one: signatures of an empty key can be forged.
 */
export const SNIPPETS = {
  TypeScript: `import { createHmac, timingSafeEqual } from 'node:crypto';

const key = Buffer.from((process.env.WEBHOOK_SECRET ?? '').replace('whsec_', ''), 'base64');
if (key.length === 0) throw new Error('WEBHOOK_SECRET is missing');

/** body: exactly as it arrived, before any parsing. */
export function isGenuine(headers: Record<string, string>, body: string): boolean {
  const timestamp = headers['webhook-timestamp'];
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300)) return false;
  const signed = \`\${headers['webhook-id']}.\${timestamp}.\${body}\`;
  const expected = createHmac('sha256', key).update(signed).digest();
  return (headers['webhook-signature'] ?? '').split(' ').some((signature) => {
    const given = Buffer.from(signature.replace('v1,', ''), 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}`,
  Python: `import base64, hashlib, hmac, os, re, time

KEY = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))
if not KEY:
    raise ValueError("WEBHOOK_SECRET is missing")


def is_genuine(headers, body: bytes) -> bool:
    """body: exactly as it arrived, before any parsing."""
    timestamp = headers.get("webhook-timestamp", "")
    if not re.fullmatch("[0-9]{1,12}", timestamp) or abs(time.time() - int(timestamp)) > 300:
        return False
    signed = f"{headers.get('webhook-id')}.{timestamp}.".encode() + body
    digest = hmac.new(KEY, signed, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    given = headers.get("webhook-signature", "").encode().split(b" ")
    return any(hmac.compare_digest(expected, signature) for signature in given)`,
  Go: `package webhooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

var key = readKey()

func readKey() []byte {
	secret := strings.TrimPrefix(os.Getenv("WEBHOOK_SECRET"), "whsec_")
	key, err := base64.StdEncoding.DecodeString(secret)
	if err != nil || len(key) == 0 {
		panic("WEBHOOK_SECRET is missing or malformed")
	}
	return key
}

// IsGenuine takes the body exactly as it arrived, before any parsing.
func IsGenuine(header http.Header, body []byte) bool {
	id, timestamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > 5*time.Minute {
		return false
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for _, given := range strings.Fields(header.Get("webhook-signature")) {
		if hmac.Equal([]byte(expected), []byte(given)) {
			return true
		}
	}
	return false
}`,
  Java: `import java.security.MessageDigest;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Webhooks {
  /** An empty key is refused. */
  private static final SecretKeySpec KEY = new SecretKeySpec(
      Base64.getDecoder().decode(System.getenv("WEBHOOK_SECRET").replace("whsec_", "")), "HmacSHA256");

  /** body: exactly as it arrived, before any parsing. */
  public static boolean isGenuine(Map<String, String> headers, byte[] body) throws Exception {
    String timestamp = headers.getOrDefault("webhook-timestamp", "");
    if (!timestamp.matches("[0-9]{1,12}")) return false;
    if (Math.abs(Instant.now().getEpochSecond() - Long.parseLong(timestamp)) > 300) return false;
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(KEY);
    mac.update((headers.get("webhook-id") + "." + timestamp + ".").getBytes("UTF-8"));
    byte[] expected = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body))).getBytes("UTF-8");
    return Arrays.stream(headers.getOrDefault("webhook-signature", "").split(" "))
        .anyMatch(given -> MessageDigest.isEqual(expected, given.getBytes()));
  }
}`,
  Ruby: `require "base64"
require "openssl"

KEY = Base64.strict_decode64(ENV.fetch("WEBHOOK_SECRET").delete_prefix("whsec_"))
raise "WEBHOOK_SECRET is missing" if KEY.empty?

# body: exactly as it arrived, before any parsing.
def genuine?(headers, body)
  timestamp = headers["webhook-timestamp"]
  seconds = Integer(timestamp, exception: false)
  return false if seconds.nil? || (Time.now.to_i - seconds).abs > 300

  signed = "#{headers["webhook-id"]}.#{timestamp}.#{body}"
  expected = "v1," + Base64.strict_encode64(OpenSSL::HMAC.digest("SHA256", KEY, signed))
  headers["webhook-signature"].to_s.split.any? { |given| OpenSSL.secure_compare(expected, given) }
end`,
  PHP: `<?php

define('WEBHOOK_KEY', base64_decode(str_replace('whsec_', '', (string) getenv('WEBHOOK_SECRET'))));
if (WEBHOOK_KEY === '') {
    throw new RuntimeException('WEBHOOK_SECRET is missing');
}

/** $body: exactly as it arrived, for example file_get_contents('php://input'). */
function isGenuine(array $headers, string $body): bool
{
    $timestamp = $headers['webhook-timestamp'] ?? '';
    if (abs(time() - (int) $timestamp) > 300) {
        return false;
    }
    $signed = ($headers['webhook-id'] ?? '') . '.' . $timestamp . '.' . $body;
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', $signed, WEBHOOK_KEY, true));
    foreach (explode(' ', $headers['webhook-signature'] ?? '') as $given) {
        if (hash_equals($expected, $given)) {
            return true;
        }
    }
    return false;
}`,
  'C#': `using System.Security.Cryptography;
using System.Text;

public static class Webhooks
{
    private static readonly byte[] Key = ReadKey();

    /// <param name="body">Exactly as it arrived, before any parsing.</param>
    public static bool IsGenuine(IReadOnlyDictionary<string, string> headers, byte[] body)
    {
        var id = headers.GetValueOrDefault("webhook-id");
        var timestamp = headers.GetValueOrDefault("webhook-timestamp");
        if (!long.TryParse(timestamp, out var seconds)) return false;
        if (DateTimeOffset.UtcNow.ToUnixTimeSeconds() - seconds is > 300 or < -300) return false;
        byte[] signed = [.. Encoding.UTF8.GetBytes($"{id}.{timestamp}."), .. body];
        var digest = HMACSHA256.HashData(Key, signed);
        var expected = Encoding.UTF8.GetBytes("v1," + Convert.ToBase64String(digest));
        return headers.GetValueOrDefault("webhook-signature", "").Split(' ').Any(given =>
            CryptographicOperations.FixedTimeEquals(expected, Encoding.UTF8.GetBytes(given)));
    }

    private static byte[] ReadKey()
    {
        var secret = Environment.GetEnvironmentVariable("WEBHOOK_SECRET") ?? "";
        var key = Convert.FromBase64String(secret.Replace("whsec_", ""));
        return key.Length > 0 ? key : throw new InvalidOperationException("WEBHOOK_SECRET is missing");
    }
}`,
} as const;

export type Language = keyof typeof SNIPPETS;
export const LANGUAGES = Object.keys(SNIPPETS) as readonly Language[];
