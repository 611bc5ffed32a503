// A peer of the benchmarks: net/http. The protocol is described in ../README.md.
package main

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// User is sent and received.
type User struct {
	ID      int      `json:"id"`
	Login   string   `json:"login"`
	Name    string   `json:"name"`
	IsAdmin bool     `json:"isAdmin"`
	Score   float64  `json:"score"`
	Tags    []string `json:"tags"`
}

func (user *User) equals(other User) bool {
	if len(user.Tags) != len(other.Tags) {
		return false
	}
	for index, tag := range user.Tags {
		if tag != other.Tags[index] {
			return false
		}
	}
	return user.ID == other.ID && user.Login == other.Login && user.Name == other.Name &&
		user.IsAdmin == other.IsAdmin && user.Score == other.Score
}

var sample = User{583231, "octocat", "The Octocat", false, 97.5, []string{"swift", "http", "linux"}}

func main() {
	connections := flag.Int("connections", 1, "the maximum number of connections to a host")
	ca := flag.String("ca", "", "the certificate that is trusted")
	flag.Parse()
	client, err := makeClient(*connections, *ca)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		fmt.Println(perform(client, strings.Fields(lines.Text())))
	}
}

func makeClient(connections int, ca string) (*http.Client, error) {
	roots := x509.NewCertPool()
	if ca != "" {
		pem, err := os.ReadFile(ca)
		if err != nil {
			return nil, err
		}
		roots.AppendCertsFromPEM(pem)
	}
	return &http.Client{Transport: &http.Transport{
		MaxIdleConnsPerHost: connections,
		MaxConnsPerHost:     connections,
		ForceAttemptHTTP2:   true,
		TLSClientConfig:     &tls.Config{RootCAs: roots},
	}}, nil
}

func perform(client *http.Client, words []string) string {
	if len(words) != 5 || words[0] != "run" {
		return "error unknown command"
	}
	concurrency, _ := strconv.Atoi(words[3])
	milliseconds, _ := strconv.Atoi(words[4])
	step := get
	if words[1] == "post" {
		step = post
	}
	before := processorTime()
	start := time.Now()
	end := start.Add(time.Duration(milliseconds) * time.Millisecond)
	counts := make([]int, concurrency)
	failures := make([]error, concurrency)
	var loops sync.WaitGroup
	for index := 0; index < concurrency; index++ {
		loops.Add(1)
		go func(index int) {
			defer loops.Done()
			count := 0
			for time.Now().Before(end) {
				if err := step(client, words[2]); err != nil {
					failures[index] = err
					break
				}
				count++
			}
			counts[index] = count
		}(index)
	}
	loops.Wait()
	seconds := time.Since(start).Seconds()
	total := 0
	for index, count := range counts {
		if failures[index] != nil {
			return fmt.Sprintf("error %v", failures[index])
		}
		total += count
	}
	return fmt.Sprintf("ok %d %.6f %.6f", total, seconds, processorTime()-before)
}

func get(client *http.Client, base string) error {
	request, err := http.NewRequest("GET", base+"/user", nil)
	if err != nil {
		return err
	}
	return send(client, request)
}

func post(client *http.Client, base string) error {
	body, err := json.Marshal(sample)
	if err != nil {
		return err
	}
	request, err := http.NewRequest("POST", base+"/echo", bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	return send(client, request)
}

func send(client *http.Client, request *http.Request) error {
	request.Header.Set("Accept", "application/json")
	request.Header.Set("X-Client", "benchmarks/1.0")
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	var user User
	if err := json.Unmarshal(body, &user); err != nil {
		return err
	}
	if response.StatusCode != 200 || !user.equals(sample) {
		return errors.New("the response is wrong")
	}
	return nil
}

func processorTime() float64 {
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return float64(usage.Utime.Sec+usage.Stime.Sec) + float64(usage.Utime.Usec+usage.Stime.Usec)/1e6
}
