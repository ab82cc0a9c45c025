/** Code that verifies a delivery with the standard library of its language. It reads the secret from WEBHOOK_SECRET. */
export const SNIPPETS = {
  TypeScript: `import { createHmac, timingSafeEqual } from 'node:crypto';

const key = Buffer.from((process.env.WEBHOOK_SECRET ?? '').replace('whsec_', ''), 'base64');

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
  Python: `import base64, hashlib, hmac, os, time

KEY = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))


def is_genuine(headers, body: bytes) -> bool:
    """body: exactly as it arrived, before any parsing."""
    timestamp = headers["webhook-timestamp"]
    if abs(time.time() - int(timestamp)) > 300:
        return False
    signed = f"{headers['webhook-id']}.{timestamp}.".encode() + body
    digest = hmac.new(KEY, signed, hashlib.sha256).digest()
    expected = "v1," + base64.b64encode(digest).decode()
    given = headers["webhook-signature"].split(" ")
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

// IsGenuine takes the body exactly as it arrived, before any parsing.
func IsGenuine(header http.Header, body []byte) bool {
	id, timestamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > 5*time.Minute {
		return false
	}
	secret := strings.TrimPrefix(os.Getenv("WEBHOOK_SECRET"), "whsec_")
	key, err := base64.StdEncoding.DecodeString(secret)
	if err != nil {
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
  /** body: exactly as it arrived, before any parsing. */
  public static boolean isGenuine(Map<String, String> headers, byte[] body) throws Exception {
    String timestamp = headers.get("webhook-timestamp");
    if (Math.abs(Instant.now().getEpochSecond() - Long.parseLong(timestamp)) > 300) return false;
    String secret = System.getenv("WEBHOOK_SECRET").replace("whsec_", "");
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret), "HmacSHA256"));
    mac.update((headers.get("webhook-id") + "." + timestamp + ".").getBytes("UTF-8"));
    byte[] expected = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body))).getBytes("UTF-8");
    return Arrays.stream(headers.get("webhook-signature").split(" "))
        .anyMatch(given -> MessageDigest.isEqual(expected, given.getBytes()));
  }
}`,
  Ruby: `require "base64"
require "openssl"

KEY = Base64.strict_decode64(ENV.fetch("WEBHOOK_SECRET").delete_prefix("whsec_"))

# body: exactly as it arrived, before any parsing.
def genuine?(headers, body)
  timestamp = headers["webhook-timestamp"]
  return false if (Time.now.to_i - Integer(timestamp)).abs > 300

  signed = "#{headers["webhook-id"]}.#{timestamp}.#{body}"
  expected = "v1," + Base64.strict_encode64(OpenSSL::HMAC.digest("SHA256", KEY, signed))
  headers["webhook-signature"].split.any? { |given| OpenSSL.secure_compare(expected, given) }
end`,
  PHP: `<?php

/** $body: exactly as it arrived, for example file_get_contents('php://input'). */
function isGenuine(array $headers, string $body): bool
{
    $timestamp = $headers['webhook-timestamp'];
    if (abs(time() - (int) $timestamp) > 300) {
        return false;
    }
    $key = base64_decode(str_replace('whsec_', '', getenv('WEBHOOK_SECRET')));
    $signed = $headers['webhook-id'] . '.' . $timestamp . '.' . $body;
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $key, true));
    foreach (explode(' ', $headers['webhook-signature']) as $given) {
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
    /// <param name="body">Exactly as it arrived, before any parsing.</param>
    public static bool IsGenuine(IReadOnlyDictionary<string, string> headers, byte[] body)
    {
        var timestamp = headers["webhook-timestamp"];
        var age = DateTimeOffset.UtcNow.ToUnixTimeSeconds() - long.Parse(timestamp);
        if (Math.Abs(age) > 300) return false;
        var secret = Environment.GetEnvironmentVariable("WEBHOOK_SECRET")!.Replace("whsec_", "");
        byte[] signed = [.. Encoding.UTF8.GetBytes($"{headers["webhook-id"]}.{timestamp}."), .. body];
        var digest = HMACSHA256.HashData(Convert.FromBase64String(secret), signed);
        var expected = Encoding.UTF8.GetBytes("v1," + Convert.ToBase64String(digest));
        return headers["webhook-signature"].Split(' ').Any(given =>
            CryptographicOperations.FixedTimeEquals(expected, Encoding.UTF8.GetBytes(given)));
    }
}`,
} as const;

export type Language = keyof typeof SNIPPETS;
export const LANGUAGES = Object.keys(SNIPPETS) as readonly Language[];
