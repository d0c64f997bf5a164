/** Pure: booking and settling in integer micro-dollars, and the windows that spend is counted in. Imports nobody. */
export { type Admission, type AdmissionFacts, admit, type BudgetState, type Refusal } from './admit.ts';
export {
  type Booking,
  type Charge,
  MIN_LEFT_MICRO_USD,
  type Report,
  settle,
  type Unit,
  usedIn,
} from './charge.ts';
export { HOUR_MS, type Window, windowEnd, windowStart } from './windows.ts';
