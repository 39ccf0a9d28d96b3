// Verifies signed messages with the official library of Standard Webhooks for Go.
// go run . FILE: what test/support/processes/webhook-vectors-child.ts wrote.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

type vector struct {
	Name    string            `json:"name"`
	Secret  string            `json:"secret"`
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"`
	IsValid bool              `json:"isValid"`
}

func main() {
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	var vectors []vector
	if err := json.Unmarshal(text, &vectors); err != nil {
		log.Fatal(err)
	}
	if len(vectors) <= 10 {
		log.Fatalf("too little to verify in %s", os.Args[1])
	}
	for _, each := range vectors {
		hook, err := standardwebhooks.NewWebhook(each.Secret)
		if err != nil {
			log.Fatal(err)
		}
		headers := http.Header{}
		for name, value := range each.Headers {
			headers.Set(name, value)
		}
		taken := hook.Verify([]byte(each.Body), headers) == nil
		if taken != each.IsValid {
			log.Fatalf("a message %s: taken is %v", each.Name, taken)
		}
	}
	fmt.Printf("%d signed messages are taken and refused as they must be, in Go\n", len(vectors))
}
