import { ItemHistogram } from './item-histogram.ts';

/** What is measured of one step besides its rows. */
export class StepMeter {
  readonly items = new ItemHistogram();
  /** Connector calls under way, and the most that there were at one time. */
  inFlight = 0;
  inFlightMax = 0;

  callBegins(): void {
    this.inFlight++;
    if (this.inFlight > this.inFlightMax) this.inFlightMax = this.inFlight;
  }

  callEnds(): void {
    this.inFlight--;
  }
}
