// A receiver that verifies deliveries, stores each of them once and handles them later.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"go.etcd.io/bbolt"
)

const (
	maxBody    = 1 << 20
	retryAfter = time.Second
)

var received, waiting = []byte("received"), []byte("waiting")

func main() {
	secret := os.Getenv("WEBHOOK_SECRET")
	if secret == "" {
		log.Fatal("WEBHOOK_SECRET is missing")
	}
	webhook, err := standardwebhooks.NewWebhook(secret)
	if err != nil {
		log.Fatal(err)
	}
	inbox, err := bbolt.Open(os.Getenv("INBOX"), 0o600, &bbolt.Options{Timeout: time.Second})
	if err != nil {
		log.Fatal(err)
	}
	err = inbox.Update(func(tx *bbolt.Tx) error {
		if _, err := tx.CreateBucketIfNotExists(received); err != nil {
			return err
		}
		_, err := tx.CreateBucketIfNotExists(waiting)
		return err
	})
	if err != nil {
		log.Fatal(err)
	}
	wake := make(chan struct{}, 1)
	go work(inbox, wake)
	http.HandleFunc("POST /hook", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
		if err != nil || webhook.Verify(body, r.Header) != nil {
			w.WriteHeader(http.StatusBadRequest) // Not from Postrider, or the secret is wrong. A 500 would be retried.
			return
		}
		if err := add(inbox, r.Header.Get("webhook-id"), body); err != nil {
			w.WriteHeader(http.StatusInternalServerError) // It is sent again.
			return
		}
		select {
		case wake <- struct{}{}:
		default:
		}
		w.WriteHeader(http.StatusNoContent)
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}

// add does nothing if the id is known already.
func add(inbox *bbolt.DB, id string, body []byte) error {
	return inbox.Update(func(tx *bbolt.Tx) error {
		if tx.Bucket(received).Get([]byte(id)) != nil {
			return nil
		}
		if err := tx.Bucket(received).Put([]byte(id), []byte(time.Now().UTC().Format(time.RFC3339))); err != nil {
			return err
		}
		queue := tx.Bucket(waiting)
		place, err := queue.NextSequence()
		if err != nil {
			return err
		}
		entry, err := json.Marshal(delivery{ID: id, Body: string(body)})
		if err != nil {
			return err
		}
		return queue.Put(fmt.Appendf(nil, "%020d", place), entry)
	})
}

type delivery struct{ ID, Body string }

// work begins with what a crash left. It handles outside of a transaction, which would keep answers waiting.
func work(inbox *bbolt.DB, wake <-chan struct{}) {
	for {
		place, waits, err := next(inbox)
		if err == nil && place == nil {
			<-wake
			continue
		}
		if err == nil {
			err = handle(waits)
		}
		if err == nil {
			err = inbox.Update(func(tx *bbolt.Tx) error { return tx.Bucket(waiting).Delete(place) })
		}
		if err != nil {
			log.Printf("%s was not handled: %v", waits.ID, err)
			time.Sleep(retryAfter)
		}
	}
}

// next returns the oldest delivery that waits, and its place; a nil place if none waits.
func next(inbox *bbolt.DB) (place []byte, waits delivery, err error) {
	err = inbox.View(func(tx *bbolt.Tx) error {
		key, value := tx.Bucket(waiting).Cursor().First()
		if key == nil {
			return nil
		}
		place = bytes.Clone(key)
		return json.Unmarshal(value, &waits)
	})
	return place, waits, err
}

func handle(waits delivery) error {
	fmt.Println("handled", waits.ID)
	return nil
}
