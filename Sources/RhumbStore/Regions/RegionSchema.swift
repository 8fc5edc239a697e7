/// The tables of the region store, beside those in which answers are kept. An entry there is held
/// by at least one region; the entries are the ledger of what is done.
enum RegionSchema {
    /// A row for each region.
    ///
    ///     id          the person's name for it
    ///     definition  JSON: name, metadata, geometry, zooms, sources, features
    ///     sources     JSON: the definitions of its sources, so that it can be shown without them
    ///     state       0 queued, 1 running, 2 paused, 3 waiting for the network, 4 complete,
    ///                 5 complete with gaps, 6 failed, 7 cancelled
    ///     reason      why it is in that state, a sentence or nothing
    ///     refresh     NULL, or a refresh is under way: tiles that came before then, Unix seconds,
    ///                 are asked about
    private static let regions = """
        CREATE TABLE regions (
            number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, definition TEXT NOT NULL,
            sources TEXT NOT NULL, state INTEGER NOT NULL, reason TEXT NOT NULL, created INTEGER NOT NULL,
            changed INTEGER NOT NULL, refresh INTEGER);
        """

    /// A row for each source of a region: how far it is. Written with the tiles it counts.
    ///
    ///     planned   tiles in all
    ///     bytes     of all bodies
    ///     requests  sent to servers
    ///     cursor    the last tile up to which all are settled, "z/x/y"; nothing at the beginning
    ///     ahead     settled tiles beyond it, separated by blanks
    private static let parts = """
        CREATE TABLE parts (
            region INTEGER NOT NULL, origin TEXT NOT NULL, planned INTEGER NOT NULL, done INTEGER NOT NULL,
            absent INTEGER NOT NULL, failed INTEGER NOT NULL, reused INTEGER NOT NULL,
            unchanged INTEGER NOT NULL, bytes INTEGER NOT NULL, requests INTEGER NOT NULL, cursor TEXT NOT NULL, ahead TEXT NOT NULL,
            PRIMARY KEY (region, origin)) WITHOUT ROWID;
        """

    /// Which packs a region touches; a pack that no region touches any more is deleted.
    private static let packs = """
        CREATE TABLE region_packs (
            origin TEXT NOT NULL, z INTEGER NOT NULL, x INTEGER NOT NULL, y INTEGER NOT NULL,
            region INTEGER NOT NULL, PRIMARY KEY (origin, z, x, y, region)) WITHOUT ROWID;
        CREATE INDEX packs_by_region ON region_packs (region);
        """

    /// Tiles that could not be had, each with its reason.
    private static let gaps = """
        CREATE TABLE gaps (
            region INTEGER NOT NULL, origin TEXT NOT NULL, z INTEGER NOT NULL, x INTEGER NOT NULL,
            y INTEGER NOT NULL, reason TEXT NOT NULL, PRIMARY KEY (region, origin, z, x, y)) WITHOUT ROWID;
        """

    /// Documents a region carries, as keys of origins.
    private static let documents = """
        CREATE TABLE region_documents (
            region INTEGER NOT NULL, document TEXT NOT NULL, PRIMARY KEY (region, document)) WITHOUT ROWID;
        """

    /// Which process works on a region, and what others want of it.
    ///
    ///     beat   when it was last heard of, Unix seconds
    ///     wish   "", "pause", "resume" or "cancel"
    private static let workers = """
        CREATE TABLE workers (
            region INTEGER PRIMARY KEY, process INTEGER NOT NULL, beat INTEGER NOT NULL, wish TEXT NOT NULL);
        """

    static let statements = ResponseSchema.statements + regions + parts + packs + gaps + documents + workers
}
