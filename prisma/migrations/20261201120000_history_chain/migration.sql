-- The history as an auditor needs it: role, outcome and failure of each row, a hash over the row before, signed
-- checkpoints, an index of the text, and rows that nobody changes.
ALTER TABLE "HistoryRow" ADD COLUMN "role" TEXT NOT NULL DEFAULT '';
ALTER TABLE "HistoryRow" ADD COLUMN "outcome" TEXT NOT NULL DEFAULT 'done';
ALTER TABLE "HistoryRow" ADD COLUMN "failure" TEXT NOT NULL DEFAULT '';
ALTER TABLE "HistoryRow" ADD COLUMN "workersApplied" INTEGER;
ALTER TABLE "HistoryRow" ADD COLUMN "workersTotal" INTEGER;
ALTER TABLE "HistoryRow" ADD COLUMN "chainFormat" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "HistoryRow" ADD COLUMN "hash" TEXT NOT NULL DEFAULT '';

UPDATE "HistoryRow" SET "outcome" = 'persisted' WHERE "action" = 'parameter.change';
UPDATE "HistoryRow" SET "outcome" = 'refused' WHERE "action" = 'login.failed';

CREATE TABLE "HistoryCheckpoint" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "at" DATETIME NOT NULL,
    "format" INTEGER NOT NULL,
    "sealedId" INTEGER NOT NULL,
    "sealedHash" TEXT NOT NULL,
    "removedId" INTEGER NOT NULL,
    "removedHash" TEXT NOT NULL,
    "keptRows" INTEGER NOT NULL,
    "keptHash" TEXT NOT NULL,
    "signature" TEXT NOT NULL
);

CREATE INDEX "HistoryRow_action_id_idx" ON "HistoryRow"("action", "id");
CREATE INDEX "HistoryRow_source_id_idx" ON "HistoryRow"("source", "id");
CREATE INDEX "HistoryRow_role_id_idx" ON "HistoryRow"("role", "id");
CREATE INDEX "HistoryRow_origin_id_idx" ON "HistoryRow"("origin", "id");
CREATE INDEX "HistoryRow_outcome_id_idx" ON "HistoryRow"("outcome", "id");
CREATE INDEX "HistoryRow_requestId_id_idx" ON "HistoryRow"("requestId", "id");

-- Three letters each, without places: small, and enough to find the few rows in which a text can be.
CREATE VIRTUAL TABLE "HistoryText" USING fts5("text", content='', contentless_delete=1, detail=none, tokenize='trigram');
INSERT INTO "HistoryText" ("rowid", "text")
    SELECT "id", "parameter" || char(10) || "scope" || char(10) || coalesce("oldValue", '') || char(10)
        || coalesce("newValue", '') || char(10) || "actor" || char(10) || "reason" || char(10) || "failure" || char(10)
        || "origin" || char(10) || "requestId"
    FROM "HistoryRow";

CREATE TRIGGER "HistoryRow_text_added" AFTER INSERT ON "HistoryRow" BEGIN
    INSERT INTO "HistoryText" ("rowid", "text") VALUES (NEW."id", NEW."parameter" || char(10) || NEW."scope" || char(10)
        || coalesce(NEW."oldValue", '') || char(10) || coalesce(NEW."newValue", '') || char(10) || NEW."actor" || char(10)
        || NEW."reason" || char(10) || NEW."failure" || char(10) || NEW."origin" || char(10) || NEW."requestId");
END;

CREATE TRIGGER "HistoryRow_text_removed" AFTER DELETE ON "HistoryRow" BEGIN
    DELETE FROM "HistoryText" WHERE "rowid" = OLD."id";
END;

-- Against mistakes: who wants to tamper with the file can drop a trigger, which is what the chain is for.
CREATE TRIGGER "HistoryRow_unchanged" BEFORE UPDATE ON "HistoryRow" WHEN OLD."chainFormat" <> 0 BEGIN
    SELECT RAISE(ABORT, 'rows of the history are never changed');
END;

CREATE TRIGGER "HistoryRow_kept" BEFORE DELETE ON "HistoryRow"
    WHEN OLD."id" > coalesce((SELECT "removedId" FROM "HistoryCheckpoint" ORDER BY "id" DESC LIMIT 1), 0) BEGIN
    SELECT RAISE(ABORT, 'rows of the history are only removed up to a signed checkpoint');
END;
