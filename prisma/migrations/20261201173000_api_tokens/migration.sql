-- Tokens of people for the API, and in the history the token that something was done by.
CREATE TABLE "ApiToken" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "userId" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "role" TEXT,
    "rights" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "lastUsedAt" DATETIME,
    "lastUsedFrom" TEXT NOT NULL DEFAULT '',
    CONSTRAINT "ApiToken_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "ApiToken_hash_key" ON "ApiToken"("hash");
CREATE UNIQUE INDEX "ApiToken_userId_name_key" ON "ApiToken"("userId", "name");

ALTER TABLE "HistoryRow" ADD COLUMN "token" TEXT NOT NULL DEFAULT '';
CREATE INDEX "HistoryRow_token_id_idx" ON "HistoryRow"("token", "id");

-- The text of what is there has no token in it, so that it stays as it is.
DROP TRIGGER "HistoryRow_text_added";
CREATE TRIGGER "HistoryRow_text_added" AFTER INSERT ON "HistoryRow" BEGIN
    INSERT INTO "HistoryText" ("rowid", "text") VALUES (NEW."id", NEW."parameter" || char(10) || NEW."scope" || char(10)
        || coalesce(NEW."oldValue", '') || char(10) || coalesce(NEW."newValue", '') || char(10) || NEW."actor" || char(10)
        || NEW."token" || char(10) || NEW."reason" || char(10) || NEW."failure" || char(10) || NEW."origin" || char(10)
        || NEW."requestId");
END;
