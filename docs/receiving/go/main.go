// A receiver that verifies deliveries, stores each of them once and handles them later.
package main

import (
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

const maxBody = 1 << 20

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
		entry, err := json.Marshal(map[string]string{"id": id, "body": string(body)})
		if err != nil {
			return err
		}
		return queue.Put(fmt.Appendf(nil, "%020d", place), entry)
	})
}

// work begins with what a crash left.
func work(inbox *bbolt.DB, wake <-chan struct{}) {
	for {
		err := inbox.Update(func(tx *bbolt.Tx) error {
			queue := tx.Bucket(waiting)
			cursor := queue.Cursor()
			for key, value := cursor.First(); key != nil; key, value = cursor.First() {
				var entry struct{ ID, Body string }
				if err := json.Unmarshal(value, &entry); err != nil {
					return err
				}
				fmt.Println("handled", entry.ID)
				if err := cursor.Delete(); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			log.Print(err)
		}
		<-wake
	}
}
