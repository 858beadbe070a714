/** The package has no types of its own. Its table of zips is read as text (centroids.server.ts), so this is all we call. */
declare module 'zipcodes/lib/states.js' {
  const states: {
    /** The two letters of a state, given those or its name in English. */
    readonly normalize: (state: string) => string | undefined
  }
  export default states
}
