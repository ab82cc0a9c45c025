// Publishes an invoice.paid: go run producer.go (before it: go mod init producer && go mod tidy)
package main

import (
	"crypto/rand"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
	"github.com/confluentinc/confluent-kafka-go/v2/schemaregistry"
	"github.com/confluentinc/confluent-kafka-go/v2/schemaregistry/serde"
	"github.com/confluentinc/confluent-kafka-go/v2/schemaregistry/serde/jsonschema"
)

const (
	eventType = "invoice.paid"
	digits    = "0123456789abcdefghjkmnpqrstvwxyz"
)

type customer struct {
	ID string `json:"id"`
}

type invoicePaid struct {
	EventID     string   `json:"eventId"`
	OccurredAt  string   `json:"occurredAt"`
	WorkspaceID string   `json:"workspaceId"`
	InvoiceID   string   `json:"invoiceId"`
	Customer    customer `json:"customer"`
	Amount      int      `json:"amount"`
	Currency    string   `json:"currency"`
}

// Sortable by time: ten digits of milliseconds and sixteen random ones, of base 32.
func newEventID(now time.Time) string {
	id := make([]byte, 26)
	check(rand.Read(id))
	for n := range id {
		id[n] = digits[id[n]&31]
		if n < 10 {
			id[n] = digits[(now.UnixMilli()>>(5*(9-n)))&31]
		}
	}
	return "evt_" + string(id)
}

func main() {
	topic, workspace := variable("TOPIC", "workspace.events"), os.Getenv("WORKSPACE_ID")
	registry := must(schemaregistry.NewClient(
		schemaregistry.NewConfig(variable("SCHEMA_REGISTRY_URL", "http://127.0.0.1:8081"))))
	settings := jsonschema.NewSerializerConfig()
	settings.AutoRegisterSchemas = false
	settings.UseLatestVersion = true
	settings.EnableValidation = true
	serializer := must(jsonschema.NewSerializer(registry, serde.ValueSerde, settings))
	serializer.SubjectNameStrategy = func(topic string, _ serde.Type, _ schemaregistry.SchemaInfo) (string, error) {
		return topic + "-" + eventType, nil
	}

	now := time.Now().UTC()
	event := invoicePaid{
		EventID:     newEventID(now),
		OccurredAt:  now.Format("2006-01-02T15:04:05.000Z"),
		WorkspaceID: workspace,
		InvoiceID:   "in_4f9k2",
		Customer:    customer{ID: "cus_81"},
		Amount:      4200,
		Currency:    "EUR",
	}
	value := must(serializer.Serialize(topic, &event))
	// CloudEvents 1.0. Postrider needs ce_type; consumers of the topic use the others.
	headers := []kafka.Header{
		{Key: "ce_specversion", Value: []byte("1.0")},
		{Key: "ce_id", Value: []byte(event.EventID)},
		{Key: "ce_type", Value: []byte(eventType)},
		{Key: "ce_source", Value: []byte("/workspaces/" + workspace)},
		{Key: "ce_time", Value: []byte(event.OccurredAt)},
		{Key: "content-type", Value: []byte("application/json")},
	}

	producer := must(kafka.NewProducer(&kafka.ConfigMap{
		"bootstrap.servers": variable("KAFKA_BROKERS", "127.0.0.1:9092"),
		"acks":              "all",
		"partitioner":       "murmur2_random", // that of Java and Postrider: all events of a workspace in one partition
	}))
	published := make(chan kafka.Event, 1)
	message := kafka.Message{
		TopicPartition: kafka.TopicPartition{Topic: &topic, Partition: kafka.PartitionAny},
		Key:            []byte(workspace),
		Value:          value,
		Headers:        headers,
	}
	check(0, producer.Produce(&message, published))
	check(0, (<-published).(*kafka.Message).TopicPartition.Error)
	producer.Close()
	fmt.Println(event.EventID)
}

func variable(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func check[T any](value T, err error) { must(value, err) }
