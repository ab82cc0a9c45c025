// Verifies the request on standard input: HMAC with the library of Standard Webhooks, ed25519 over the same bytes.
package main

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

type request struct {
	Secret    string            `json:"secret"`
	PublicKey string            `json:"publicKey"`
	Headers   map[string]string `json:"headers"`
	Body      string            `json:"body"`
}

func main() {
	var received request
	check(json.NewDecoder(os.Stdin).Decode(&received))
	headers := http.Header{}
	for name, value := range received.Headers {
		headers.Set(name, value)
	}
	webhook, err := standardwebhooks.NewWebhook(received.Secret)
	check(err)
	check(webhook.Verify([]byte(received.Body), headers))

	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(received.PublicKey, "whpk_"))
	check(err)
	content := headers.Get("webhook-id") + "." + headers.Get("webhook-timestamp") + "." + received.Body
	for _, part := range strings.Split(headers.Get("webhook-signature"), " ") {
		encoded, isEd25519 := strings.CutPrefix(part, "v1a,")
		if !isEd25519 {
			continue
		}
		signature, err := base64.StdEncoding.DecodeString(encoded)
		check(err)
		if ed25519.Verify(key, []byte(content), signature) {
			fmt.Println("verified")
			return
		}
	}
	check(errors.New("no ed25519 signature matches"))
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
