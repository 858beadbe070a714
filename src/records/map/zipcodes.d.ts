/** The package has no types. Its table of ZIP codes is read as text (centroids.server.ts), so this is all we call. */
declare module 'zipcodes/lib/states.js' {
  const states: {
    /** Returns the two-letter code of a state, given its code or English name. */
    readonly normalize: (state: string) => string | undefined
  }
  export default states
}
