// This peer of the benchmarks uses net/http. ../README.md describes the protocol.
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

// User is the value that requests send and receive.
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
	first := flag.String("first", "", "the server to which one GET is sent, in place of commands")
	flag.Parse()
	client, err := makeClient(*connections, *ca)
	if err == nil && *first != "" {
		if err = get(client, *first); err == nil {
			fmt.Println("ok")
			return
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		line, err := perform(client, strings.Fields(lines.Text()))
		if err != nil {
			line = fmt.Sprintf("error %v", err)
		}
		fmt.Println(line)
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

func perform(client *http.Client, words []string) (string, error) {
	if len(words) < 4 {
		return "", errors.New("unknown command")
	}
	number, err := strconv.Atoi(words[len(words)-1])
	if err != nil {
		return "", err
	}
	duration := time.Duration(number) * time.Millisecond
	before := processorTime()
	start := time.Now()
	var count int
	switch {
	case words[0] == "run" && len(words) == 5:
		count, err = run(client, words[1] == "post", expand(words[2]), words[3], start.Add(duration))
	case words[0] == "download":
		count, err = repeat(start.Add(duration), func() error { return download(client, words[1], words[2]) })
	case words[0] == "upload":
		count, err = repeat(start.Add(duration), func() error { return upload(client, words[1], words[2]) })
	default:
		err = errors.New("unknown command")
	}
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("ok %d %.6f %.6f", count, time.Since(start).Seconds(), processorTime()-before), nil
}

func run(client *http.Client, isPost bool, bases []string, loopCount string, end time.Time) (int, error) {
	concurrency, err := strconv.Atoi(loopCount)
	if err != nil {
		return 0, err
	}
	step := get
	if isPost {
		step = post
	}
	counts := make([]int, concurrency)
	failures := make([]error, concurrency)
	var loops sync.WaitGroup
	for index := 0; index < concurrency; index++ {
		loops.Add(1)
		go func(index int) {
			defer loops.Done()
			for time.Now().Before(end) && failures[index] == nil {
				failures[index] = step(client, bases[(index+counts[index])%len(bases)])
				counts[index]++
			}
		}(index)
	}
	loops.Wait()
	total := 0
	for index, count := range counts {
		if failures[index] != nil {
			return 0, failures[index]
		}
		total += count
	}
	return total, nil
}

// expand returns the URLs of a range such as http://127.0.0.[1-200]:8080.
func expand(pattern string) []string {
	prefix, rest, isRange := strings.Cut(pattern, "[1-")
	if !isRange {
		return []string{pattern}
	}
	number, suffix, _ := strings.Cut(rest, "]")
	count, _ := strconv.Atoi(number)
	urls := make([]string, count)
	for index := range urls {
		urls[index] = prefix + strconv.Itoa(index+1) + suffix
	}
	return urls
}

func repeat(end time.Time, step func() error) (int, error) {
	for count := 1; ; count++ {
		if err := step(); err != nil {
			return 0, err
		}
		if !time.Now().Before(end) {
			return count, nil
		}
	}
}

func download(client *http.Client, url string, path string) error {
	response, err := client.Get(url)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != 200 {
		return errors.New(response.Status)
	}
	if path == "-" {
		_, err = io.Copy(io.Discard, response.Body)
		return err
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	if _, err = io.Copy(file, response.Body); err != nil {
		return err
	}
	return file.Close()
}

func upload(client *http.Client, url string, path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	information, err := file.Stat()
	if err != nil {
		return err
	}
	request, err := http.NewRequest("POST", url, file)
	if err != nil {
		return err
	}
	request.ContentLength = information.Size()
	return send(client, request)
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
