/** Transcripts of runs: written, repaired, retained, paged, followed, rendered for people; and the list of ended runs. */
export type { Depth, TranscriptEntry } from './entry.ts';
export { openTranscriptFile, TAIL_ENTRIES, type TranscriptFile } from './file.ts';
export { followTranscript } from './follow.ts';
export { type RunFooter, type RunHeader, runOf, transcriptPath } from './frame.ts';
export { type Repaired, repairTranscripts } from './repair.ts';
export { prune, toRemove } from './retention.ts';
export { appendRun, type EndedRun, readRuns } from './runs.ts';
export { createTranscript, LIMITS, type TranscriptWriter, type Written } from './writer.ts';
