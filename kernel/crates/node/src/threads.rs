//! Threads that run the kernel while JavaScript does something else.

use exports::Memory;
use napi::bindgen_prelude::{Env, Object, Result};
use napi::{Error, JsDeferred};
use napi_derive::napi;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

/// Answers a promise: its function is called in the thread of JavaScript.
type Deferred = JsDeferred<i32, Box<dyn FnOnce(Env) -> Result<i32> + Send>>;

struct Job {
    memory: Memory,
    run: Box<dyn FnOnce(Memory) -> i32 + Send>,
    deferred: Deferred,
}

// SAFETY: JavaScript keeps the memory, and works on none of the ranges of a job, until it is answered.
unsafe impl Send for Job {}

/// They take jobs in the order in which they are given.
#[napi]
pub struct Threads {
    jobs: Option<Sender<Job>>,
    threads: Vec<JoinHandle<()>>,
}

#[napi]
impl Threads {
    #[napi(constructor)]
    pub fn new(count: u32) -> Self {
        let (jobs, taken) = channel();
        let taken = Arc::new(Mutex::new(taken));
        let threads = (0..count).map(|_| {
            let taken = taken.clone();
            std::thread::spawn(move || {
                while let Some(job) = next(&taken) {
                    job.answer()
                }
            })
        });
        Self { jobs: Some(jobs), threads: threads.collect() }
    }

    /// Ends the threads behind the last job.
    #[napi]
    pub fn close(&mut self) {
        self.jobs = None;
        for thread in self.threads.drain(..) {
            // A job that panics has answered so.
            let _ = thread.join();
        }
    }
}

impl Threads {
    /// Returns a promise of the result.
    pub fn run<'env>(
        &self,
        env: &'env Env,
        memory: Memory,
        run: impl FnOnce(Memory) -> i32 + Send + 'static,
    ) -> Result<Object<'env>> {
        let jobs = self.jobs.as_ref().ok_or_else(|| Error::from_reason("the threads have ended"))?;
        let (deferred, promise) = env.create_deferred()?;
        let sent = jobs.send(Job { memory, run: Box::new(run), deferred });
        sent.map_err(|_| Error::from_reason("the threads have ended"))?;
        Ok(promise)
    }
}

impl Drop for Threads {
    /// The memory must not go before the last job.
    fn drop(&mut self) {
        self.close();
    }
}

impl Job {
    fn answer(self) {
        let Self { memory, run, deferred } = self;
        match catch_unwind(AssertUnwindSafe(|| run(memory))) {
            Ok(result) => deferred.resolve(Box::new(move |_| Ok(result))),
            Err(panic) => deferred.reject(Error::from_reason(message_of(&*panic))),
        }
    }
}

fn message_of(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(|text| text.to_string())).unwrap_or_default()
}

/// None once there are no more jobs.
fn next(jobs: &Mutex<Receiver<Job>>) -> Option<Job> {
    jobs.lock().ok()?.recv().ok()
}
