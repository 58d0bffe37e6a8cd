import { parentPort, workerData } from 'node:worker_threads'
import type { ExtractMessage, ExtractRequest } from './extract-text.ts'
import { readText } from './read-text.ts'

const request: ExtractRequest = workerData

await readText(request, (message: ExtractMessage) => parentPort?.postMessage(message))
