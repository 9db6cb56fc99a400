-- Parameter values for a cluster, a tenant or an address that clients connect to; and in the history, for which of them.
CREATE TABLE "ParameterOverride" (
    "level" TEXT NOT NULL,
    "cluster" TEXT NOT NULL COLLATE NOCASE,
    "tenant" TEXT NOT NULL COLLATE NOCASE,
    "vip" TEXT NOT NULL,
    "vport" INTEGER NOT NULL,
    "vid" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "revision" INTEGER NOT NULL,
    "changedAt" DATETIME NOT NULL,
    "changedBy" TEXT NOT NULL,
    PRIMARY KEY ("cluster", "tenant", "vip", "vport", "vid", "name")
);

ALTER TABLE "HistoryRow" ADD COLUMN "scope" TEXT NOT NULL DEFAULT '';
