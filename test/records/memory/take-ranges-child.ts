/* Takes ranges of a memory that other threads take from too. */
import { parentPort, workerData } from 'node:worker_threads'
import { MemorySpace } from '../../../src/records/memory/memory-space.ts'
import { takeMany } from './take-many.ts'

parentPort?.postMessage(takeMany(new MemorySpace(workerData)), [])
