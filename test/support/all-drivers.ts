import { loadDrivers } from '../../src/drivers/registry.ts';

/** As a control plane has them: every connector type of this build. */
export const allDrivers = await loadDrivers();
