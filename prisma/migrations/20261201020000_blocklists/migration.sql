-- What the blocklists did, and the failures that they counted.
CREATE TABLE "BlocklistTransition" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "at" DATETIME NOT NULL,
    "cluster" TEXT NOT NULL,
    "server" TEXT NOT NULL,
    "zone" TEXT NOT NULL,
    "list" TEXT NOT NULL,
    "change" TEXT NOT NULL,
    "listedForMs" REAL,
    "evidenceFormat" INTEGER NOT NULL,
    "evidence" TEXT NOT NULL,
    "parameters" TEXT NOT NULL
);

CREATE TABLE "ServerFailure" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "at" DATETIME NOT NULL,
    "cluster" TEXT NOT NULL,
    "server" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "tookMs" REAL NOT NULL,
    "errno" INTEGER NOT NULL,
    "detail" TEXT NOT NULL,
    "sessionId" BIGINT NOT NULL,
    "digest" TEXT NOT NULL
);

CREATE INDEX "BlocklistTransition_cluster_server_id_idx" ON "BlocklistTransition"("cluster", "server", "id");
CREATE INDEX "BlocklistTransition_at_idx" ON "BlocklistTransition"("at");
CREATE INDEX "ServerFailure_at_idx" ON "ServerFailure"("at");
