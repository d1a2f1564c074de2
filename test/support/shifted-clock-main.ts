/**
 * Loaded before a program (`NODE_OPTIONS=--import=…`): its clock is an hour ahead, that of the machine and of the store is not.
 */
const SHIFT_MS = 3_600_000;
const RealDate = globalThis.Date;

class ShiftedDate extends RealDate {
  constructor(...args: [] | [number | string | Date]) {
    super(args[0] ?? RealDate.now() + SHIFT_MS);
  }

  static override now(): number {
    return RealDate.now() + SHIFT_MS;
  }
}

globalThis.Date = ShiftedDate as DateConstructor;
