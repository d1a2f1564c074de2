/** Why a column does not hold a value exactly; completes "… does not fit the column: ". */
export class UnfitValue extends Error {}
