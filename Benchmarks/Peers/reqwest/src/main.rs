//! This peer of the benchmarks uses reqwest on tokio. ../README.md describes the protocol.

use serde::{Deserialize, Serialize};
use std::error::Error;
use std::io::{BufRead, Write};
use std::time::{Duration, Instant};

type Failure = Box<dyn Error + Send + Sync>;

/// The value that requests send and receive.
#[derive(Serialize, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase")]
struct User {
    id: u64,
    login: String,
    name: String,
    is_admin: bool,
    score: f64,
    tags: Vec<String>,
}

fn sample() -> User {
    User {
        id: 583_231,
        login: "octocat".into(),
        name: "The Octocat".into(),
        is_admin: false,
        score: 97.5,
        tags: vec!["swift".into(), "http".into(), "linux".into()],
    }
}

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().collect();
    let option = |name: &str| arguments.iter().position(|it| it == name).and_then(|place| arguments.get(place + 1));
    let connections = option("--connections").map_or(Ok(1), |text| text.parse())?;
    // reqwest limits only the idle connections of the pool, so each concurrent request has a connection.
    let mut builder = reqwest::Client::builder().pool_max_idle_per_host(connections);
    if let Some(path) = option("--ca") {
        builder = builder.add_root_certificate(reqwest::Certificate::from_pem(&std::fs::read(path)?)?);
    }
    let client = builder.build()?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let words: Vec<&str> = line.split_whitespace().collect();
        match runtime.block_on(perform(&client, &words)) {
            Ok(text) => println!("ok {text}"),
            Err(error) => println!("error {error}"),
        }
        std::io::stdout().flush()?;
    }
    Ok(())
}

async fn perform(client: &reqwest::Client, words: &[&str]) -> Result<String, Failure> {
    let ["run", workload, base, concurrency, milliseconds] = words else { return Err("unknown command".into()) };
    let concurrency: usize = concurrency.parse()?;
    let is_post = *workload == "post";
    let url = format!("{base}/{}", if is_post { "echo" } else { "user" });
    let before = processor_time();
    let start = Instant::now();
    let end = start + Duration::from_millis(milliseconds.parse()?);
    let loops: Vec<_> = (0..concurrency)
        .map(|_| {
            let (client, url) = (client.clone(), url.clone());
            tokio::spawn(async move {
                let sample = sample();
                let mut count = 0u64;
                while Instant::now() < end {
                    send(&client, &url, is_post, &sample).await?;
                    count += 1;
                }
                Ok::<u64, Failure>(count)
            })
        })
        .collect();
    let mut total = 0;
    for handle in loops {
        total += handle.await??;
    }
    let seconds = start.elapsed().as_secs_f64();
    Ok(format!("{total} {seconds:.6} {:.6}", processor_time() - before))
}

async fn send(client: &reqwest::Client, url: &str, is_post: bool, sample: &User) -> Result<(), Failure> {
    let request = if is_post { client.post(url).json(sample) } else { client.get(url) };
    let response =
        request.header("Accept", "application/json").header("X-Client", "benchmarks/1.0").send().await?;
    let status = response.status();
    let user: User = serde_json::from_slice(&response.bytes().await?)?;
    if status != 200 || user != *sample {
        return Err("the response is wrong".into());
    }
    Ok(())
}

/// The user and system time of this process in seconds.
fn processor_time() -> f64 {
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    unsafe { libc::getrusage(libc::RUSAGE_SELF, &mut usage) };
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    seconds(usage.ru_utime) + seconds(usage.ru_stime)
}
