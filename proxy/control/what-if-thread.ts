/** Body of the thread that replays the past: hours of failures must not hold up the one that decides about the lists. */
import { parentPort, workerData } from 'node:worker_threads';
import { type ReplayInput, replay } from '../congestion/replay.ts';

parentPort?.postMessage(replay(workerData as ReplayInput));
